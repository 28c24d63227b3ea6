import { useTranslation } from 'react-i18next';
import { copyText } from '../../ui/copy';
import { formatCount } from '../../ui/format';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { useToast } from '../../ui/toast-context';
import { useSessionScope } from './context';
import { changeUrl } from './url-state';

/** `y` on a session: a link to what is seen now. While live it is frozen to the present event, and says so. */
export function CopyStateLink() {
  const { t } = useTranslation(['shell', 'common', 'session']);
  const { playhead } = useSessionScope();
  const toast = useToast();
  const address = (at: number | null) => {
    const url = new URL(window.location.href);
    url.search = changeUrl(url.searchParams, { at }).toString();
    return url.href;
  };
  const copy = async () => {
    const { live, seq } = playhead.store.getState();
    if (!(await copyText(address(seq)))) return;
    if (!live) toast({ text: t('common:linkCopied') });
    else {
      const keepLive = { label: t('session:keepLive'), onClick: () => void copyText(address(null)) };
      toast({ text: t('common:linkFrozen', { seq: formatCount(seq) }), action: keepLive });
    }
  };
  useShortcuts('global', [{ keys: ['y'], label: t('keys.copyLink'), run: () => void copy() }]);
  return null;
}
