import { render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ApiError } from '../api/errors';
import { setLanguage } from '../i18n';
import { useErrorText } from './use-error-text';

function Told({ error }: { error: Error }) {
  return <p>{useErrorText()(error)}</p>;
}

afterEach(() => setLanguage('en'));

it('says a refusal by its code in the language of the page, and any other as the server does', async () => {
  await setLanguage('zh-CN');
  render(
    <>
      <Told error={new ApiError(409, { code: 'session_ended', detail: 'The session has ended (failed).' })} />
      <Told error={new ApiError(422, { code: 'invalid', detail: 'title: too long' })} />
      <Told error={new Error('plain')} />
    </>,
  );
  expect(screen.getByText('会话已结束。')).toBeVisible();
  expect(screen.getByText('title: too long')).toBeVisible();
  expect(screen.getByText('plain')).toBeVisible();
});
