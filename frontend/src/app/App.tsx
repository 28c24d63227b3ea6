import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router';
import { createQueryClient } from '../api/query-client';
import { TooltipProvider } from '../ui/Tooltip';
import { createRouter } from './router';

const queries = createQueryClient();
const router = createRouter(queries);

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <TooltipProvider delayDuration={400}>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>
  );
}
