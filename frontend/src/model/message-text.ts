import type { Message } from '../api/types';
import { printJson } from './json';

/** The text of a message, as it is read: content, and the calls it asks for. */
export function messageText(message: Message): string {
  const content = typeof message.content === 'string' ? message.content : message.content === null ? '' : printJson(message.content, 2);
  const calls = (message.tool_calls ?? []).map((call) => `${call.name}(${call.raw ?? printJson(call.arguments, 2)})`);
  return [content, ...calls].filter(Boolean).join('\n');
}
