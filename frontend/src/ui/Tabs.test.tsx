import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Tabs } from './Tabs';

function Page() {
  const [value, setValue] = useState<'one' | 'two' | 'three'>('one');
  const items = [{ value: 'one' as const, label: 'One' }, { value: 'two' as const, label: 'Two', disabled: true }, { value: 'three' as const, label: 'Three' }];
  return (
    <Tabs label="Parts" value={value} onChange={setValue} items={items}>
      about {value}
    </Tabs>
  );
}

describe('tabs', () => {
  it('are one stop for the keyboard, and the arrows go around past what is disabled', () => {
    render(<Page />);
    const tab = (name: string) => screen.getByRole('tab', { name });
    expect(screen.getAllByRole('tab').map((each) => each.tabIndex)).toEqual([0, -1, -1]);
    fireEvent.keyDown(tab('One'), { key: 'ArrowRight' });
    expect(tab('Three')).toHaveFocus();
    expect(tab('Three')).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('tabpanel', { name: 'Three' })).toHaveTextContent('about three');
    fireEvent.keyDown(tab('Three'), { key: 'ArrowRight' });
    expect(tab('One')).toHaveFocus();
  });
});
