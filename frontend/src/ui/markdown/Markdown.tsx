import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import styles from './Markdown.module.css';

function hostOf(address: string | undefined): string {
  try {
    return new URL(address ?? '').host;
  } catch {
    return '';
  }
}

/** The host is always said: the text of a link is written by a model. */
function SafeLink({ href, children }: ComponentProps<'a'>) {
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      <span className={styles.host}>{hostOf(href)}</span>
    </>
  );
}

/** An image would tell a stranger's server who reads; it is named instead. */
function NamedImage({ src, alt }: ComponentProps<'img'>) {
  const { t } = useTranslation('ui');
  const host = typeof src === 'string' ? hostOf(src) : '';
  return (
    <span className={styles.image}>
      [{t('imageBlocked', { host: host || '?' })}
      {alt ? `: ${alt}` : ''}]
    </span>
  );
}

const COMPONENTS = { a: SafeLink, img: NamedImage };

/** Markdown of a model: React nodes from an allow-list, no HTML, no remote images. */
export default function Markdown({ children }: { children: string }) {
  return (
    <div className={styles.body} dir="auto">
      <ReactMarkdown skipHtml remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} components={COMPONENTS}>
        {children}
      </ReactMarkdown>
    </div>
  );
}
