import { useTranslation } from 'react-i18next';
import { Dialog } from '../ui/Dialog';
import { Kbd } from '../ui/Kbd';
import { MOD } from '../ui/keyboard/modifier';
import { setSingleKeys, type Shortcut } from '../ui/keyboard/registry';
import { useShortcutList } from '../ui/keyboard/use-shortcuts';
import { Switch } from '../ui/toggles';
import styles from './ShortcutSheet.module.css';
import { shortcutSheet } from './shortcut-sheet';

const SYMBOLS: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', 'Shift+': '⇧' };

function shown(keys: string): string {
  const text = Object.entries(SYMBOLS).reduce((sum, [name, symbol]) => sum.replaceAll(name, symbol), keys);
  return text.replaceAll('mod+', MOD).replace(/(?<=^|[⇧⌘ ])[a-z]$|^[a-z](?= )/g, (letter) => letter.toUpperCase());
}

function Group({ name, list }: { name: string; list: Shortcut[] }) {
  return (
    <section className={styles.group}>
      <h3>{name}</h3>
      {list.map((shortcut) => (
        <div key={shortcut.keys.join() + shortcut.label} className={styles.row}>
          <span>{shortcut.label}</span>
          <span className={styles.keys}>
            {shortcut.keys.map((keys) => (
              <Kbd key={keys}>{shown(keys)}</Kbd>
            ))}
          </span>
        </div>
      ))}
    </section>
  );
}

/** Every shortcut that holds on the present page, and the switch that turns single keys off. */
export function ShortcutSheet() {
  const { t } = useTranslation('shell');
  const { list, enabled } = useShortcutList();
  // The newest registration of a key is the one that acts, so the older one is not shown.
  const acting = list.filter((each, index) => !list.slice(index + 1).some((later) => later.keys[0] === each.keys[0]));
  const groups = Map.groupBy(acting, (shortcut) => shortcut.group);
  return (
    <Dialog open onOpenChange={(next) => shortcutSheet.setState({ open: next })} title={t('shortcuts')} size="lg">
      <p className={enabled ? undefined : styles.off}>{enabled ? t('shortcutsHint') : t('keysOff')}</p>
      <Switch label={t('singleKeys')} checked={enabled} onChange={setSingleKeys} />
      <div className={styles.groups}>
        {[...groups].map(([group, shortcuts]) => (
          <Group key={group} name={t(`group.${group as 'global'}`)} list={shortcuts} />
        ))}
      </div>
    </Dialog>
  );
}
