import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../ui/format';
import { usePlayhead, useSessionScope } from '../context';

/** Reading the past and commanding the present must never be confused. */
export function ActsOnLive() {
  const { t } = useTranslation('session');
  const { source } = useSessionScope();
  const live = usePlayhead((state) => state.live);
  const shown = usePlayhead((state) => state.shown);
  if (live) return null;
  return <p>{t('control.actsOnLive', { now: formatCount(source.headers.last), seq: formatCount(shown) })}</p>;
}
