import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { followTips, type Tip } from './follow-tips';
import { placeTip } from './place-tip';
import styles from './Tooltip.module.css';

const ID = 'tooltip';

/** Shows the words of the control under the pointer, or with the focus. Once per window. */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => followTips(setTip), []);
  useLayoutEffect(() => {
    if (!tip || !box.current) return undefined;
    const { target } = tip;
    placeTip(box.current, target.getBoundingClientRect(), tip.side);
    const said = target.getAttribute('aria-describedby');
    if (target.getAttribute('aria-label') === tip.text || said) return undefined;
    target.setAttribute('aria-describedby', ID);
    return () => target.removeAttribute('aria-describedby');
  }, [tip]);
  if (!tip) return null;
  return createPortal(
    <div ref={box} id={ID} role="tooltip" className={styles.content}>
      {tip.text}
    </div>,
    document.body,
  );
}
