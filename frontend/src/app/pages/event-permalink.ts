import { type LoaderFunctionArgs, redirect } from 'react-router';

/** `/s/:id/events/:seq` names one event for good; the session page shows it. */
export function eventPermalink({ params }: LoaderFunctionArgs) {
  return redirect(`/s/${params.id}?at=${params.seq}&e=${params.seq}`);
}
