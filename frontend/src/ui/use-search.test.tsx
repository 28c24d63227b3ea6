import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import { useSearch } from './use-search';

function setup() {
  let change: ReturnType<typeof useSearch>[1] = () => undefined;
  function Page() {
    const [search, edit] = useSearch();
    change = edit;
    return <output>{search.toString()}</output>;
  }
  const router = createMemoryRouter([{ path: '/s', Component: Page }], { initialEntries: ['/s?old=1', '/s?e=5'], initialIndex: 1 });
  render(<RouterProvider router={router} />);
  const put = (name: string, value: string | null) =>
    change((now) => {
      if (value === null) now.delete(name);
      else now.set(name, value);
      return now;
    });
  return { router, put, shown: () => screen.getByRole('status').textContent };
}

describe('the query of the address', () => {
  it('is drawn before the router has taken it over', () => {
    const { put, shown } = setup();
    act(() => put('at', '7'));
    expect(shown()).toBe('e=5&at=7');
  });

  it('keeps a change when another one follows at once', async () => {
    const { router, put, shown } = setup();
    await act(async () => {
      put('e', null);
      put('at', '7');
    });
    expect(shown()).toBe('at=7');
    expect(router.state.location.search).toBe('?at=7');
  });

  it('is what the browser goes back to', async () => {
    const { router, put, shown } = setup();
    await act(async () => put('at', '7'));
    await act(async () => router.navigate(-1));
    expect(shown()).toBe('old=1');
    await act(async () => put('at', '8'));
    expect(router.state.location.search).toBe('?old=1&at=8');
  });
});
