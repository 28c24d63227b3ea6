import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { NewShare } from '../../api/types';
import { renderAs } from '../../testing/render';
import { NewLink } from './NewLink';

const share = { id: 'share_1', url: '/r/token', token: 'token' } as NewShare;
const show = (revoked: boolean) =>
  renderAs('operator', <NewLink share={share} token="token" revoked={revoked} revoking={false} onRevoke={() => undefined} />);

describe('a new link', () => {
  it('can be copied, opened and taken back', () => {
    show(false);
    for (const name of ['Copy the link', 'Revoke']) expect(screen.getByRole('button', { name })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open as a reader' })).toBeVisible();
  });

  it('says that it was taken back, and offers nothing more', () => {
    show(true);
    expect(screen.getByRole('status')).toHaveTextContent('Revoked This link opens nothing any more.');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
  });
});
