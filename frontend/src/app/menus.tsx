import { useQueryClient } from '@tanstack/react-query';
import { CircleUser, KeyRound, Keyboard, Languages, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { signOut } from '../api/accounts';
import { useMe } from '../api/use-me';
import { currentLanguage, LANGUAGES, setLanguage } from '../i18n';
import { IconButton } from '../ui/Button';
import { Menu } from '../ui/Menu';
import { setTheme, THEMES, useTheme } from '../ui/theme';
import { openShortcutSheet } from './shortcut-sheet';

/** Asked for by few, and not by whoever reads a shared replay. */
const ChangePassword = lazy(async () => ({ default: (await import('../features/users/ChangePassword')).ChangePassword }));

const LANGUAGE_NAMES = { en: 'English', 'zh-CN': '简体中文' };
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

export function LanguageMenu() {
  const { t } = useTranslation('shell');
  return (
    <Menu
      trigger={<IconButton label={t('language')} icon={<Languages size={16} />} />}
      items={LANGUAGES.map((language) => ({
        key: language,
        label: LANGUAGE_NAMES[language],
        checked: currentLanguage() === language,
        onSelect: () => void setLanguage(language),
      }))}
    />
  );
}

export function ThemeMenu() {
  const { t } = useTranslation('shell');
  const { chosen, shown } = useTheme();
  const Icon = THEME_ICONS[shown];
  return (
    <Menu
      trigger={<IconButton label={t('theme')} icon={<Icon size={16} />} />}
      items={THEMES.map((theme) => {
        const ItemIcon = THEME_ICONS[theme];
        return {
          key: theme,
          label: t(`themes.${theme}`),
          icon: <ItemIcon size={14} />,
          checked: chosen === theme,
          onSelect: () => setTheme(theme),
        };
      })}
    />
  );
}

export function UserMenu() {
  const { t } = useTranslation(['shell', 'common', 'users']);
  const me = useMe();
  const [changing, setChanging] = useState(false);
  const queries = useQueryClient();
  const leave = async () => {
    await signOut();
    queries.clear();
    window.location.assign('/login');
  };
  return (
    <>
      <Menu
        trigger={<IconButton label={t('account')} icon={<CircleUser size={18} />} />}
        label={`${me.name || me.email} · ${t(`common:role.${me.role}`)}`}
        items={[
          { key: 'keys', label: t('shortcuts'), icon: <Keyboard size={14} />, kbd: '?', onSelect: openShortcutSheet },
          { key: 'password', label: t('users:changePassword'), icon: <KeyRound size={14} />, onSelect: () => setChanging(true) },
          'separator',
          { key: 'leave', label: t('signOut'), icon: <LogOut size={14} />, onSelect: () => void leave() },
        ]}
      />
      <Suspense fallback={null}>{changing && <ChangePassword open onClose={() => setChanging(false)} />}</Suspense>
    </>
  );
}
