import { useParams, useSearchParams } from 'react-router';
import { EditorPage, NewAgentPage } from '../../features/agents/edit/EditorPage';
import { TrialSession } from './TrialSession';

const renderSession = (id: string) => <TrialSession key={id} id={id} />;

export function EditorRoute() {
  const { slug = '' } = useParams();
  return <EditorPage key={slug} slug={slug} renderSession={renderSession} />;
}

export function NewAgentRoute() {
  const [search] = useSearchParams();
  const from = search.get('from');
  return <NewAgentPage key={from} from={from} renderSession={renderSession} />;
}
