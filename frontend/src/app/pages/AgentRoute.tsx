import { useParams } from 'react-router';
import { AgentPage } from '../../features/agents/AgentPage';

export function AgentRoute() {
  const { slug = '' } = useParams();
  return <AgentPage key={slug} slug={slug} />;
}
