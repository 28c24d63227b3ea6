import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { publishVersion } from '../../api/agent-versions';
import { agentKeys } from '../../api/agents';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { ErrorState } from '../../ui/states';
import { useToast } from '../../ui/toast-context';
import { useUnderWay } from './use-under-way';

interface PublishDialogProps {
  slug: string;
  version: number;
  /** What new sessions get now. */
  published: number | null;
  onClose: () => void;
}

/** Publishes a version, or rolls back to one: says in a sentence what changes for new sessions, and that others keep theirs. */
export function PublishDialog({ slug, version, published, onClose }: PublishDialogProps) {
  const { t } = useTranslation(['agents', 'common']);
  const queries = useQueryClient();
  const toast = useToast();
  const running = useUnderWay(slug);
  const back = published !== null && version < published;
  const publish = useMutation({
    mutationFn: () => publishVersion(slug, version),
    onSuccess: async () => {
      await Promise.all([agentKeys.lists, agentKeys.agents, agentKeys.allVersions, agentKeys.wholeVersions].map((queryKey) => queries.invalidateQueries({ queryKey })));
      toast({ text: t('publish.done', { version }) });
      onClose();
    },
  });
  const send = () => !publish.isPending && publish.mutate();
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={(open) => !open && onClose()}
      title={t(back ? 'publish.backTitle' : 'publish.title', { version })}
      onSubmitKey={send}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" data-first-focus busy={publish.isPending} onClick={send}>
            {t(back ? 'publish.back' : 'publish.do', { version })}
          </Button>
        </>
      }
    >
      <p>
        {published === null ? t('publish.first', { version }) : t('publish.instead', { version, old: published })} {running !== null && (running > 0 ? t('publish.running', { count: running }) : t('publish.keep'))}
      </p>
      {publish.error && <ErrorState error={publish.error} title={t('publish.failed')} />}
    </Dialog>
  );
}
