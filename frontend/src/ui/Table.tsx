import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import styles from './Table.module.css';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  /** The header is said, not shown: a column of buttons. */
  headerHidden?: boolean;
  /** On a narrow screen it has the first line of a row for itself. */
  main?: boolean;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end, in tabular figures. */
  align?: 'start' | 'end';
  /** Left out on narrow screens. */
  wideOnly?: boolean;
}

interface TableProps<Row> {
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  isSelected?: (row: Row) => boolean;
  /** On a narrow screen the cells of a row stand below each other, and none is left out of sight. */
  stack?: boolean;
}

export function Table<Row>({ label, columns, rows, rowKey, isSelected, stack }: TableProps<Row>) {
  const shape = (column: Column<Row>) => clsx(column.align === 'end' && styles.end, column.wideOnly && styles.wideOnly, column.main && styles.main);
  return (
    <div className={styles.frame}>
      <table className={clsx(styles.table, stack && styles.stack)} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={clsx(styles.head, shape(column))}>
                {column.headerHidden ? <span className={styles.said}>{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={clsx(styles.row, isSelected?.(row) && styles.selected)}>
              {columns.map((column) => (
                <td key={column.key} className={clsx(styles.cell, shape(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
