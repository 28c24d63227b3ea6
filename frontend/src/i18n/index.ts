import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Resources } from './en';
import { reading } from './en/reading';

export const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];
const STORED = 'playhead.language';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Resources;
  }
}

function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORED);
  if (stored === 'en' || stored === 'zh-CN') return stored;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
}

async function loadChinese(): Promise<void> {
  const { zh } = await import('./zh');
  for (const [namespace, strings] of Object.entries(zh)) i18next.addResourceBundle('zh-CN', namespace, strings);
}

/** Switches the language of the page, remembers it, and sets `lang` for fonts and screen readers. */
export async function setLanguage(language: Language): Promise<void> {
  if (language === 'zh-CN') await loadChinese();
  await i18next.changeLanguage(language);
  localStorage.setItem(STORED, language);
  document.documentElement.lang = language;
}

/** Must be awaited before the first page of the workspace. */
export async function loadWorkspaceTexts(): Promise<void> {
  const { working } = await import('./en/working');
  for (const [namespace, strings] of Object.entries(working)) i18next.addResourceBundle('en', namespace, strings);
}

/** Must be awaited before the editor of agents, which few people open. */
export async function loadEditorTexts(): Promise<void> {
  const { default: editor } = await import('./en/editor');
  i18next.addResourceBundle('en', 'editor', editor);
}

/** Must be awaited before the first render. English is in the first load, Chinese comes when asked for. */
export async function startI18n(language: Language = preferredLanguage()): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    defaultNS: 'common',
    resources: { en: reading },
    interpolation: { escapeValue: false },
  });
  if (language !== 'en') await setLanguage(language);
}

export const currentLanguage = (): Language => (i18next.language === 'zh-CN' ? 'zh-CN' : 'en');
