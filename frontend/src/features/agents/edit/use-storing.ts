import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useToast } from '../../../ui/toast-context';
import type { Subject } from './subject';
import { changeEditorUrl } from './url-state';
import { type DraftState, forgetDraft } from './use-draft';
import { type Saved, useSave } from './use-save';

/** What happens when the draft becomes a version: the draft is forgotten, and the page goes on from the version. */
export function useStoring(subject: Subject, draft: DraftState, pass: () => void) {
  const { t } = useTranslation('editor');
  const navigate = useNavigate();
  const { search } = useLocation();
  const toast = useToast();
  const saving = useSave(subject.slug);
  const goOn = ({ slug, version }: Pick<Saved, 'slug' | 'version'>, change: Parameters<typeof changeEditorUrl>[1] = {}, input = '') => {
    forgetDraft(subject.key);
    pass();
    const query = changeEditorUrl(new URLSearchParams(search), { version, against: null, ...change });
    query.delete('from');
    void navigate(`/agents/${slug}/edit?${query}`, { replace: true, preventScrollReset: true, state: { input } });
  };
  return {
    saving,
    saved: (saved: Saved) => {
      toast({ text: t(saved.published ? 'savedAndPublished' : 'savedOnly', { version: saved.version }) });
      goOn(saved);
    },
    /** The version to try: the one in the form, or a new one that nobody else gets. */
    forTrial: async (): Promise<Pick<Saved, 'slug' | 'version'>> => {
      if (!draft.dirty && subject.slug !== null && subject.base !== null) return { slug: subject.slug, version: subject.base };
      return saving.mutateAsync({ definition: draft.definition, base: draft.known, note: t('try.note'), publish: false });
    },
    /** What was asked goes along to the page of an agent that has just been made. */
    started: (slug: string, version: number, session: string, input: string) => goOn({ slug, version }, { session, side: 'try' }, input),
  };
}
