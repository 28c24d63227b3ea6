import { createContext, type ReactNode, useContext } from 'react';

export interface ToastMessage {
  text: ReactNode;
  tone?: 'plain' | 'failed';
  action?: { label: string; onClick: () => void };
}

export type ShowToast = (message: ToastMessage) => void;

export const ToastContext = createContext<ShowToast>(() => undefined);

/** Tells something that has happened and needs nothing. What needs an action belongs in the page. */
export const useToast = (): ShowToast => useContext(ToastContext);
