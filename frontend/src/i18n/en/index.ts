import { reading } from './reading';
import { working } from './working';

export const en = { ...reading, ...working };

export type Resources = typeof en;
