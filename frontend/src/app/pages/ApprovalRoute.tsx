import { useParams } from 'react-router';
import { ApprovalPage } from '../../features/approvals/ApprovalPage';

export function ApprovalRoute() {
  const { id = '' } = useParams();
  return <ApprovalPage key={id} id={id} />;
}
