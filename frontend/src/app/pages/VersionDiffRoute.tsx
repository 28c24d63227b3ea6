import { useParams } from 'react-router';
import { VersionDiffPage } from '../../features/agents/VersionDiffPage';
import { NotFound } from '../NotFound';

/** Two versions with two dots between them: "6..7". */
export function VersionDiffRoute() {
  const { slug = '', pair = '' } = useParams();
  const found = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/.exec(pair);
  if (!found) return <NotFound />;
  return <VersionDiffPage key={`${slug} ${pair}`} slug={slug} before={Number(found[1])} after={Number(found[2])} />;
}
