import editor from './editor';
import { reading } from './reading';
import { working } from './working';

export const en = { ...reading, ...working, editor };

export type Resources = typeof en;
