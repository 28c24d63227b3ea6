import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { versionListQuery } from '../../../api/agent-versions';
import type { AgentParts } from '../../../api/types';
import { placesFrom, type Problem } from '../../../model/problems';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { usePage } from '../../../ui/page-context';
import { Split } from '../../../ui/Split';
import { Tabs } from '../../../ui/Tabs';
import { useMedia } from '../../../ui/use-media';
import { PublishDialog } from '../PublishDialog';
import { ChangesPane } from './ChangesPane';
import { EditorContext, type EditorScope } from './context';
import { EditorForm } from './EditorForm';
import { EditorHead } from './EditorHead';
import styles from './editor.module.css';
import { LeaveDialog } from './LeaveDialog';
import { Notices } from './Notices';
import { focusPlace } from './Place';
import { ProblemSummary } from './ProblemSummary';
import { SaveDialog } from './SaveDialog';
import type { Subject } from './subject';
import { TryPane } from './TryPane';
import { type Side, SIDES, useEditorUrl } from './url-state';
import { useCheck } from './use-check';
import { useDraft } from './use-draft';
import { useHindrance } from './use-hindrance';
import { useLeaving } from './use-leaving';
import { useStoring } from './use-storing';
import { YamlPane } from './YamlPane';

interface EditorProps {
  subject: Subject;
  parts: AgentParts;
  /** A session as it happens, small; composed by the app. */
  renderSession: (id: string) => ReactNode;
}

/** One draft of an agent: as a form, as YAML, as what it changes, and tried. */
export function Editor({ subject, parts, renderSession }: EditorProps) {
  const { t } = useTranslation('editor');
  const { url, set } = useEditorUrl();
  const wide = useMedia('(min-width: 1100px)');
  const draft = useDraft(subject.key, subject.original, subject.newest);
  const check = useCheck(draft, draft.read);
  const versions = useQuery({ ...versionListQuery(subject.slug ?? ''), enabled: subject.slug !== null });
  const leaving = useLeaving(draft.dirty);
  const storing = useStoring(subject, draft, leaving.pass);
  const [dialog, setDialog] = useState<'save' | 'publish' | null>(null);
  const [told, announce] = useState('');
  const carried = (useLocation().state as { input?: string } | null)?.input;
  const [input, setInput] = useState(carried ?? '');
  const form = useRef<HTMLDivElement>(null);
  // Somebody who has written nothing yet has done nothing wrong.
  const blank = subject.slug === null && !draft.dirty && subject.copied === '';
  const problems = blank ? [] : check.problems;
  const hindrance = useHindrance(subject, draft, check, problems);
  const title = subject.slug === null ? t('new') : t('edit', { name: subject.name });
  const heading = usePage({ title, titleInPage: true, crumbs: [{ label: t('agents'), to: '/agents' }, ...(subject.slug ? [{ label: subject.name, to: `/agents/${subject.slug}` }] : [])] });
  const scope = useMemo<EditorScope>(
    () => ({ definition: draft.definition, parts, problems, warnings: check.warnings, change: draft.change, announce, fixedSlug: subject.slug !== null }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `draft.change` only forwards to the state, and `blank` follows the draft
    [draft.definition, parts, check.problems, check.warnings, blank, subject.slug],
  );
  const save = () => hindrance === null && setDialog('save');
  useShortcuts('editor', [{ keys: ['mod+s'], label: t('saveDots'), run: save }]);
  const jump = (problem: Problem) => {
    if (!wide) set({ side: 'form' });
    requestAnimationFrame(() => focusPlace(form.current, placesFrom(problem.field)));
  };
  const panes: Record<Side, ReactNode> = {
    form: <EditorForm inert={check.unreadable} />,
    yaml: <YamlPane text={draft.text ?? check.yaml} problems={check.problems} error={check.error} onRetry={check.retry} onWrite={draft.write} />,
    changes: (
      <ChangesPane
        slug={subject.slug}
        definition={draft.definition}
        versions={versions.data?.items ?? []}
        against={url.against ?? subject.base}
        onAgainst={(against) => set({ against })}
      />
    ),
    try: (
      <TryPane
        saved={draft.dirty ? null : subject.base}
        next={(subject.newest ?? 0) + 1}
        hindrance={draft.dirty || subject.base === null ? hindrance : null}
        input={input}
        onInput={setInput}
        save={storing.forTrial}
        session={url.session}
        onStarted={storing.started}
        renderSession={renderSession}
      />
    ),
  };
  const shown = SIDES.filter((each) => !wide || each !== 'form');
  const side = shown.find((each) => each === url.side) ?? shown[0] ?? 'yaml';
  const tabs = (
    <Tabs label={t('sides')} value={side} onChange={(next) => set({ side: next })} items={shown.map((each) => ({ value: each, label: t(`side.${each}`) }))}>
      {panes[side]}
    </Tabs>
  );
  return (
    <EditorContext value={scope}>
      <div className={styles.editor}>
        <EditorHead
          subject={subject}
          heading={heading}
          title={title}
          dirty={draft.dirty}
          check={check}
          problems={problems}
          blank={blank}
          hindrance={hindrance}
          onSave={save}
          onReset={draft.reset}
          onPublish={() => setDialog('publish')}
        />
        <Notices draft={draft} check={check} />
        <ProblemSummary problems={problems} warnings={blank ? [] : check.warnings} onJump={jump} />
        <div className={styles.body} ref={form}>
          {wide ? (
            <Split label={t('split')} storageKey="playhead.editor-split" initial={56} min={30} max={75} first={<div className={styles.scroll}>{panes.form}</div>} second={<div className={styles.side}>{tabs}</div>} />
          ) : (
            tabs
          )}
        </div>
        <span className={styles.said} role="status" aria-live="polite">
          {told}
        </span>
      </div>
      {dialog === 'save' && (
        <SaveDialog
          subject={subject}
          request={{ definition: draft.definition, base: draft.known }}
          saving={storing.saving}
          onClose={() => {
            storing.saving.reset();
            setDialog(null);
          }}
          onSaved={(saved) => {
            setDialog(null);
            storing.saved(saved);
          }}
          onCompare={(against) => {
            setDialog(null);
            set({ side: 'changes', against });
          }}
        />
      )}
      {dialog === 'publish' && subject.slug !== null && subject.base !== null && (
        <PublishDialog slug={subject.slug} version={subject.base} published={subject.published} onClose={() => setDialog(null)} />
      )}
      <LeaveDialog blocker={leaving.blocker} onDrop={draft.reset} />
    </EditorContext>
  );
}
