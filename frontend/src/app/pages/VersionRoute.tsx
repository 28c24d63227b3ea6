import { useParams } from 'react-router';
import { VersionPage } from '../../features/agents/VersionPage';
import { NotFound } from '../NotFound';

export function VersionRoute() {
  const { slug = '', number = '' } = useParams();
  if (!/^[1-9]\d{0,8}$/.test(number)) return <NotFound />;
  return <VersionPage key={`${slug} ${number}`} slug={slug} number={Number(number)} />;
}
