import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/use-me';
import { plainText, revealText } from '../../model/hidden-text';
import { DiffView } from '../../ui/DiffView';
import { Select, TextArea } from '../../ui/fields';
import { formatCount } from '../../ui/format';
import styles from './branch.module.css';
import type { Draft, Hindrance } from './plan';
import { editOf, isEdited, type Subject } from './subjects';

interface ChangeProps {
  subjects: Subject[];
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  hindrance: Hindrance | null;
}

const NOTHING = '';

const hasSealed = (text: string) => revealText(text).some((part) => part.kind === 'sealed');

function useLabel() {
  const { t } = useTranslation('branch');
  return (subject: Subject) => {
    const name = t(`subject.${subject.kind}`);
    const start = subject.tool ?? plainText(subject.text).replace(/\s+/g, ' ').slice(0, 48);
    return `#${formatCount(subject.seq)} ${name}${start ? ` · ${start}` : ''}`;
  };
}

function Editor({ draft, onChange, hindrance }: Omit<ChangeProps, 'subjects'>) {
  const { t } = useTranslation(['branch', 'ui']);
  const me = useMe();
  const { subject, edit } = draft;
  if (!subject || !edit) return null;
  const broken = (field: string) => (hindrance?.kind === 'json' && hindrance.field === field ? t('ui:notJson', { reason: hindrance.reason }) : null);
  const rows = (text: string) => Math.min(14, Math.max(3, text.split('\n').length + 1));
  return (
    <>
      <TextArea
        label={t(`edit.${subject.kind}`)}
        note={subject.json ? 'JSON' : undefined}
        data-first-focus
        mono={subject.kind !== 'user_message'}
        spellCheck={false}
        rows={rows(edit.text)}
        value={edit.text}
        onChange={(text) => onChange({ edit: { ...edit, text } })}
        error={broken('text')}
      />
      {edit.calls !== null && (
        <TextArea
          label={t('edit.calls')}
          note="JSON"
          mono
          spellCheck={false}
          rows={rows(edit.calls)}
          value={edit.calls}
          onChange={(calls) => onChange({ edit: { ...edit, calls } })}
          error={broken('calls')}
        />
      )}
      {!me.can.reveal && hasSealed(edit.text) && <p className={styles.warning}>{t('maskedForYou')}</p>}
      {isEdited(subject, edit) && (
        <div className={styles.diff}>
          <h4>{t('beforeAfter')}</h4>
          {edit.text !== subject.text && <DiffView before={subject.text} after={edit.text} />}
          {edit.calls !== subject.calls && <DiffView before={subject.calls ?? ''} after={edit.calls ?? ''} />}
        </div>
      )}
    </>
  );
}

/** What is different in the branch: one event, or only the settings. */
export function ChangePart({ subjects, draft, onChange, hindrance }: ChangeProps) {
  const { t } = useTranslation('branch');
  const label = useLabel();
  const choose = (value: string) => {
    const subject = subjects.find((each) => String(each.seq) === value) ?? null;
    onChange({ subject, edit: subject && editOf(subject) });
  };
  return (
    <section className={styles.part}>
      <Select
        label={t('change')}
        value={draft.subject ? String(draft.subject.seq) : NOTHING}
        onChange={choose}
        options={[...subjects.map((subject) => ({ value: String(subject.seq), label: label(subject) })), { value: NOTHING, label: t('nothing') }]}
      />
      {draft.subject ? (
        <Editor {...{ draft, onChange, hindrance }} />
      ) : (
        <Select
          label={t('startFrom')}
          value={draft.start}
          onChange={(start) => onChange({ start })}
          options={[
            { value: 'before', label: t('before') },
            { value: 'after', label: t('after') },
          ]}
        />
      )}
    </section>
  );
}
