import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeServer } from '../testing/fake-server';
import { renderAs } from '../testing/render';
import { ToastProvider } from '../ui/ToastProvider';
import { UserMenu } from './menus';

const open = async () => {
  renderAs(
    'operator',
    <ToastProvider>
      <UserMenu />
    </ToastProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Account' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Change password' }));
  fireEvent.change(await screen.findByLabelText(/Present password/), { target: { value: 'before' } });
  fireEvent.change(screen.getByLabelText(/New password/), { target: { value: 'another-horse-battery' } });
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
};

it('changes the password of the one who is signed in, and says so', async () => {
  const { sent } = fakeServer({ 'POST /me/password': { status: 200 } });
  await open();
  expect(await screen.findByText('Your password is changed')).toBeVisible();
  expect(sent('POST', '/me/password')).toEqual([{ old: 'before', new: 'another-horse-battery' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('says at its field what the server refuses', async () => {
  const errors = [{ field: 'old', message: 'This is not your password.' }];
  fakeServer({ 'POST /me/password': { status: 422, body: { code: 'invalid', detail: 'No.', title: 'Invalid', status: 422, errors } } });
  await open();
  expect(await screen.findByText('This is not your password.')).toBeVisible();
  expect(screen.getByLabelText(/Present password/)).toHaveAttribute('aria-invalid', 'true');
});
