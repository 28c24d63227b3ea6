import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSessionScope } from './context';
import styles from './Announcer.module.css';

const QUIET_MS = 5000;

/** Tells a screen reader what is new, at most every five seconds, and never each event. */
export function Announcer() {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const [text, setText] = useState('');
  useEffect(() => {
    let seen = source.headers.last;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      timer = undefined;
      const { headers } = source;
      const errors = headers.error.subarray(Math.max(0, headers.at(seen) + 1), headers.count).reduce((sum, each) => sum + each, 0);
      const count = headers.last - seen;
      seen = headers.last;
      setText([t('newEvents', { count }), errors > 0 ? t('newErrors', { count: errors }) : ''].filter(Boolean).join(', '));
    };
    const stop = source.headers.subscribe(() => {
      if (!source.state.getState().loaded) seen = source.headers.last;
      else if (source.headers.last > seen) timer ??= setTimeout(tell, QUIET_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [source, t]);
  return (
    <div className={styles.hidden} role="status" aria-live="polite">
      {text}
    </div>
  );
}
