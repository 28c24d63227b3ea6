import { useTranslation } from 'react-i18next';
import type { Json } from '../../../api/types';
import { printJson } from '../../../model/json';
import type { Row } from '../../../model/rows';
import { Button } from '../../../ui/Button';
import { CopyButton } from '../../../ui/CopyButton';
import { JsonTree } from '../../../ui/JsonTree';
import { useSessionScope } from '../context';
import { useRowWords } from '../row-words';
import styles from './inspector.module.css';
import { Body, useBody } from './parts';

/** The event as it is stored, nothing left out. */
export function RawTab({ row, seq }: { row: Row; seq: number }) {
  const { t } = useTranslation('session');
  const { source, select } = useSessionScope();
  const words = useRowWords();
  const body = useBody(seq);
  return (
    <div className={styles.body}>
      <div className={styles.bar}>
        {row.members.map((member) => (
          <Button key={member} variant="quiet" aria-pressed={member === seq} onClick={() => select(member)}>
            {`#${member} ${words.type(source.headers.type(member))}`}
          </Button>
        ))}
        <span className={styles.grow} />
        {body.data && <CopyButton label={t('copyEvent')} text={() => printJson(body.data, 2)} />}
      </div>
      <Body query={body}>{({ head: _head, ...event }) => <JsonTree value={event as unknown as Json} />}</Body>
    </div>
  );
}
