import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { copyText } from '../ui/copy';
import { useShortcuts } from '../ui/keyboard/use-shortcuts';
import { useToast } from '../ui/toast-context';
import { ShortcutLayer } from './ShortcutLayer';
import { openShortcutSheet } from './shortcut-sheet';
import { useKeyListener } from './use-key-listener';

export function GlobalShortcuts() {
  const { t } = useTranslation(['shell', 'common']);
  const navigate = useNavigate();
  const toast = useToast();
  useKeyListener();
  const copyLink = async () => {
    if (await copyText(window.location.href)) toast({ text: t('common:linkCopied') });
  };
  useShortcuts('global', [
    { keys: ['?'], label: t('keys.help'), run: openShortcutSheet },
    { keys: ['y'], label: t('keys.copyLink'), run: () => void copyLink() },
    { keys: ['g h'], label: t('keys.goHome'), run: () => void navigate('/') },
    { keys: ['g s'], label: t('keys.goSessions'), run: () => void navigate('/sessions') },
    { keys: ['g a'], label: t('keys.goApprovals'), run: () => void navigate('/approvals') },
    { keys: ['g g'], label: t('keys.goAgents'), run: () => void navigate('/agents') },
  ]);
  return <ShortcutLayer />;
}
