import { useParams } from 'react-router';
import { ComparePage } from '../../features/compare/ComparePage';
import { NotFound } from '../NotFound';

/** `/compare/<a>..<b>`: the order is that of the columns. */
export function CompareRoute() {
  const { pair = '' } = useParams();
  const [a, b] = pair.split('..');
  return a && b ? <ComparePage key={pair} a={a} b={b} /> : <NotFound />;
}
