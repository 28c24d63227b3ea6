import { IdentitySection } from './IdentitySection';
import { InstructionsSection } from './InstructionsSection';
import { LimitsSection } from './LimitsSection';
import { MiddlewareSection } from './MiddlewareSection';
import { ModelSection } from './ModelSection';
import { SamplesSection } from './SamplesSection';
import { StrategySection } from './StrategySection';
import styles from './editor.module.css';
import { ToolsSection } from './ToolsSection';

/** The draft as a form, in the order in which people think of an agent. */
export function EditorForm({ inert }: { inert: boolean }) {
  return (
    <div className={styles.form} inert={inert}>
      <IdentitySection />
      <ModelSection />
      <InstructionsSection />
      <StrategySection />
      <ToolsSection />
      <MiddlewareSection />
      <LimitsSection />
      <SamplesSection />
    </div>
  );
}
