import { Outlet } from 'react-router';
import { LanguageMenu, ThemeMenu } from './menus';
import { PlayheadMark } from './PlayheadMark';
import styles from './PublicLayout.module.css';

/** What stands around pages for people who are not signed in: no rail, nothing of the workspace. */
export function PublicLayout() {
  return (
    <div className={styles.layout}>
      <header className={styles.bar}>
        <span className={styles.brand}>
          <PlayheadMark />
          Playhead
        </span>
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main id="main" className={styles.main}>
        <Outlet />
      </main>
    </div>
  );
}
