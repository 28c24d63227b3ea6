import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { startI18n } from './i18n';
import { startTheme } from './ui/theme';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';

startTheme();
await startI18n();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
