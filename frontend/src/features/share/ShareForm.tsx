import { useTranslation } from 'react-i18next';
import { Select, TextField } from '../../ui/fields';
import { formatCount } from '../../ui/format';
import { Checkbox } from '../../ui/toggles';
import styles from './share.module.css';
import { LIVES, rangeOf, type ShareDraft } from './share-form';

const PARTS = ['arguments', 'results', 'prompts', 'cost'] as const;

interface ShareFormProps {
  draft: ShareDraft;
  head: number;
  onChange: (draft: ShareDraft) => void;
}

function RangeFields({ draft, head, onChange }: ShareFormProps) {
  const { t } = useTranslation('share');
  const wrong = rangeOf(draft, head) ? null : t('rangeWrong', { head: formatCount(head) });
  return (
    <>
      <Select
        label={t('range')}
        value={draft.whole ? 'whole' : 'part'}
        onChange={(value) => onChange({ ...draft, whole: value === 'whole' })}
        options={[
          { value: 'whole', label: t('whole', { head: formatCount(head) }) },
          { value: 'part', label: t('part') },
        ]}
      />
      {!draft.whole && (
        <div className={styles.pair}>
          <TextField label={t('from')} mono inputMode="numeric" value={draft.from} onChange={(from) => onChange({ ...draft, from })} error={wrong} />
          <TextField label={t('to')} mono inputMode="numeric" value={draft.to} onChange={(to) => onChange({ ...draft, to })} />
        </div>
      )}
    </>
  );
}

/** What a reader will get: which events, which parts of them, and for how long. */
export function ShareForm({ draft, head, onChange }: ShareFormProps) {
  const { t } = useTranslation('share');
  return (
    <div className={styles.form}>
      <TextField label={t('name')} data-first-focus value={draft.title} onChange={(title) => onChange({ ...draft, title })} />
      <RangeFields {...{ draft, head, onChange }} />
      <fieldset className={styles.show}>
        <legend>{t('show')}</legend>
        {PARTS.map((part) => (
          <Checkbox
            key={part}
            label={t(`parts.${part}`)}
            checked={draft.show[part]}
            onChange={(on) => onChange({ ...draft, show: { ...draft.show, [part]: on } })}
          />
        ))}
      </fieldset>
      {!(draft.show.arguments && draft.show.results) && <p className={styles.note}>{t('ownWords')}</p>}
      <p className={styles.note}>{t('maskedAlways')}</p>
      <Select
        label={t('expires')}
        value={String(draft.days)}
        onChange={(days) => onChange({ ...draft, days: Number(days) })}
        options={LIVES.map(({ days }) => ({ value: String(days), label: t('days', { count: days }) }))}
      />
    </div>
  );
}
