import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import { copyText } from './copy';

export function CopyButton({ text, label }: { text: string | (() => string); label?: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <IconButton
      label={done ? t('copied') : (label ?? t('copy'))}
      icon={done ? <Check size={14} /> : <Copy size={14} />}
      onClick={() => void copyText(typeof text === 'string' ? text : text()).then(setDone)}
    />
  );
}
