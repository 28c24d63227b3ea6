import { Plus } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badges';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import { useEditor } from './context';
import styles from './editor.module.css';
import rows from './rows.module.css';

export interface CatalogueItem {
  key: string;
  name: string;
  text: string;
  /** Where it comes from: built in, the demo, a plug-in. */
  source?: string | null;
  mark?: ReactNode;
}

interface CatalogueProps {
  place: string;
  label: string;
  items: CatalogueItem[];
  onPick: (key: string) => void;
}

const has = (item: CatalogueItem, words: string[]): boolean => {
  const text = `${item.name} ${item.text} ${item.source ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** What can be added, behind a button: a search, and a list in which each entry is one press. */
export function Catalogue({ place, label, items, onPick }: CatalogueProps) {
  const { t } = useTranslation('editor');
  const { announce } = useEditor();
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const id = useId();
  const opener = useRef<HTMLDivElement>(null);
  const found = items.filter((item) => has(item, search.toLowerCase().split(/\s+/)));
  const close = () => {
    setOpen(false);
    setSearch('');
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus());
  };
  const pick = (item: CatalogueItem) => {
    onPick(item.key);
    announce(t('added', { name: item.name }));
    close();
  };
  if (!open) {
    return (
      <div ref={opener}>
        <Button data-add={place} icon={<Plus size={14} />} aria-expanded={false} onClick={() => setOpen(true)}>
          {label}
        </Button>
      </div>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes it from anywhere inside
    <div className={rows.catalogue} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <div className={rows.search}>
        <TextField
          label={t('search')}
          labelHidden
          placeholder={t('search')}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens because a person pressed "add"
          autoFocus
          value={search}
          onChange={setSearch}
          onKeyDown={(event) => {
            const [only] = found;
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (only && search !== '') pick(only);
          }}
          aria-controls={id}
          spellCheck={false}
          autoComplete="off"
        />
        <Button onClick={close}>{t('closeCatalogue')}</Button>
      </div>
      <p className={styles.note} role="status">
        {items.length === 0 ? t('catalogueEmpty') : t('found', { count: found.length })}
      </p>
      <ul id={id} className={rows.items} aria-label={label}>
        {found.map((item) => (
          <li key={item.key}>
            <button type="button" className={rows.item} onClick={() => pick(item)}>
              <span className={rows.itemHead}>
                <code>{item.name}</code>
                {item.mark}
                {item.source && <Badge>{item.source}</Badge>}
              </span>
              <span className={rows.itemText}>{item.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
