import { useParams } from 'react-router';
import { SessionPage } from '../../features/session/SessionPage';

/** A session under its id: another id is another page, with a state of its own. */
export function SessionRoute() {
  const { id = '' } = useParams();
  return <SessionPage key={id} id={id} />;
}
