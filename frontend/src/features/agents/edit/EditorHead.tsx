import { RotateCcw, Save } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Problem } from '../../../model/problems';
import { Button } from '../../../ui/Button';
import styles from './editor.module.css';
import { CheckState } from './ProblemSummary';
import type { Subject } from './subject';
import type { Check } from './use-check';

interface EditorHeadProps {
  subject: Subject;
  heading: RefObject<HTMLHeadingElement | null>;
  title: string;
  dirty: boolean;
  check: Check;
  /** Nothing has been written yet: nothing is wrong, and nothing is right. */
  blank: boolean;
  problems: readonly Problem[];
  /** Why it cannot be saved now; null when it can. */
  hindrance: string | null;
  onSave: () => void;
  onReset: () => void;
  onPublish: () => void;
}

/** Which version this began with, and what new sessions get now. */
function Standing({ subject, dirty }: { subject: Subject; dirty: boolean }) {
  const { t } = useTranslation('editor');
  const { slug, base, published, newest } = subject;
  if (slug === null || base === null) return <span className={styles.standing}>{subject.copied ? t('standing.copy', { name: subject.copied }) : t('standing.new')}</span>;
  return (
    <span className={styles.standing}>
      <Link to={`/agents/${slug}/v/${base}`}>v{base}</Link>
      {' · '}
      {dirty ? t('standing.changed') : base === published ? t('standing.published') : published === null ? t('standing.nothingPublished') : t('standing.notPublished', { published })}
      {newest !== null && base < newest && ` · ${t('standing.older', { newest })}`}
    </span>
  );
}

export function EditorHead({ subject, heading, title, dirty, check, blank, problems, hindrance, onSave, onReset, onPublish }: EditorHeadProps) {
  const { t } = useTranslation('editor');
  const publishable = !dirty && subject.base !== null && subject.base !== subject.published;
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Standing subject={subject} dirty={dirty} />
      </div>
      <span className={styles.state}>
        {!blank && <CheckState check={check} problems={problems} />}
      </span>
      <div className={styles.buttons}>
        {dirty && (
          <Button icon={<RotateCcw size={14} />} onClick={onReset}>
            {t('drop')}
          </Button>
        )}
        {publishable ? (
          <Button variant="primary" onClick={onPublish}>
            {t('publishVersion', { version: subject.base ?? 0 })}
          </Button>
        ) : (
          <Button variant="primary" icon={<Save size={14} />} disabledReason={hindrance} onClick={onSave}>
            {t('saveDots')}
          </Button>
        )}
      </div>
    </header>
  );
}
