import { randomUUID } from 'node:crypto'
import { defaultVisibility } from '../../accounts/index.ts'
import { addressOf, openWebSession, requiredStep, type WebSession } from '../../auth/sessions/index.ts'
import { ApiError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import type { Viewer } from '../../core/viewer.ts'
import { operation, param, redirect, type Context, type Response } from '../../platform/http/index.ts'
import { languageLabels, translateError } from '../../platform/i18n/index.ts'
import {
  CSRF_PARAMETER,
  field,
  form,
  hidden,
  html,
  pageResponse,
  select,
  submit,
  textArea,
  type Html,
} from '../../platform/ui/index.ts'
import { post, POSTED_VISIBILITIES } from '../../statuses/index.ts'
import { createWebClient } from '../client/index.ts'

/** Where buttons and tools of other sites lead with a text to be posted. */
const PATH = '/share'

const OPTIONS = { path: PATH, auth: 'public', scopes: [], page: true } as const

/** What a refused form is filled with again. */
interface Written {
  readonly status: string
  readonly spoiler_text?: string
  readonly visibility?: (typeof POSTED_VISIBILITIES)[number] | undefined
  readonly language?: string | undefined
}

/** The page of the operator's web client, which may have a form of its own; else the form. */
export const showShare = operation({
  ...OPTIONS,
  method: 'GET',
  summary: 'Show the form for a post with a text from another site',
  params: {
    title: param.string({ default: '' }),
    text: param.string({ default: '' }),
    url: param.string({ default: '' }),
  },
  returns: 'text/html',
  async handle({ title, text, url }, context) {
    const ofClient = await createWebClient(context)?.respond(context.request)
    if (ofClient) return ofClient
    const status = [title, text, url].filter(part => part.trim() !== '').join('\n')
    return asAuthor(context, status, (webSession, viewer) => sharePage(context, webSession, viewer, { status }))
  },
})

/** Publishes the post as `POST /api/v1/statuses` does. */
export const share = operation({
  ...OPTIONS,
  method: 'POST',
  budget: 'statuses',
  manualBudget: true,
  summary: 'Publish the post of the form',
  params: {
    status: param.string({ default: '' }),
    spoiler_text: param.string({ default: '' }),
    visibility: param.enumeration(POSTED_VISIBILITIES, { optional: true }),
    language: param.string({ optional: true }),
    idempotency_key: param.string({ default: '', description: 'of the form, so that it is sent only once' }),
    [CSRF_PARAMETER]: param.string({ optional: true }),
  },
  returns: 'redirect',
  handle: ({ [CSRF_PARAMETER]: token, idempotency_key: key, ...written }, context) =>
    asAuthor(context, written.status, async (webSession, viewer) => {
      webSession.requireCsrf(token)
      try {
        const posted = await post(context, { viewer, applicationId: null }, written, key)
        const path = `/@${viewer.username}`
        return webSession.respond(redirect('status' in posted ? `${path}/${posted.status}` : path))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return sharePage(context, webSession, viewer, written, error)
      }
    }),
})

/** Who is not signed in signs in first, and finds the text again afterwards unless it is long. */
async function asAuthor(
  context: Context,
  text: string,
  work: (webSession: WebSession, viewer: Viewer) => Promise<Response> | Response,
): Promise<Response> {
  const webSession = await openWebSession(context)
  const { viewer } = webSession
  if (!viewer) {
    webSession.remember(addressOf({ path: PATH, query: new URLSearchParams({ text }).toString() }))
    return webSession.respond(redirect('/auth/sign_in'))
  }
  const step = requiredStep(viewer)
  return step === undefined ? work(webSession, viewer) : webSession.respond(redirect(step))
}

function sharePage(
  context: Context,
  webSession: WebSession,
  viewer: Viewer,
  written: Written,
  error?: ApiError,
): Response {
  const { translator } = webSession
  const title = translator.t('share.title')
  const message = error && translateError(error.message, translator)
  const isOfText = error?.code === 'validation'
  return pageResponse(context, webSession, {
    title,
    body: html`<h1>${title}</h1>
      ${shareForm(webSession, viewer, written, isOfText ? message : undefined)}`,
    ...(error && { status: error.status }),
    ...(message !== undefined && !isOfText && { notice: { text: message, kind: 'alert' as const } }),
  })
}

function shareForm(webSession: WebSession, viewer: Viewer, written: Written, error: string | undefined): Html {
  const { t, language } = webSession.translator
  const labels = languageLabels(language)
  const wanted = [written.language, viewer.preferences['default_language'], viewer.locale]
  return form({ action: PATH, csrfToken: webSession.csrfToken() }, [
    hidden('idempotency_key', randomUUID()),
    textArea({
      label: t('share.text'),
      name: 'status',
      value: written.status,
      rows: 8,
      hint: t('share.limit', { count: LIMITS.statuses.max_characters }),
      errors: error === undefined ? [] : [error],
    }),
    field({ label: t('share.warning'), name: 'spoiler_text', value: written.spoiler_text ?? '' }),
    select({
      label: t('posting.visibility'),
      name: 'visibility',
      choices: POSTED_VISIBILITIES.map(one => [one, t(`posting.visibility.${one}`)]),
      value: written.visibility ?? defaultVisibility(viewer),
    }),
    select({
      label: t('posting.language'),
      name: 'language',
      choices: labels,
      value:
        labels.find(([code]) => code === wanted.find(one => typeof one === 'string' && one !== ''))?.[0] ?? language,
    }),
    submit(t('share.submit')),
  ])
}
