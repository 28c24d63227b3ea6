import { useSuspenseQuery } from '@tanstack/react-query';
import { meQuery } from './accounts';
import type { Me } from './types';

/** The person who looks. The shell's loader has read it, so it is there without waiting. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;
