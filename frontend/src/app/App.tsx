import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router';
import { createQueryClient } from '../api/query-client';
import { TooltipLayer } from '../ui/TooltipLayer';
import { createRouter } from './router';

const queries = createQueryClient();
const router = createRouter(queries);

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <TooltipLayer />
    </QueryClientProvider>
  );
}
