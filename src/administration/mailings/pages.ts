import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { hasPermission } from '../../core/permissions.ts'
import {
  composeMailing,
  countMailingRecipients,
  findMailingProgress,
  readContent,
  startMailing,
  testMailing,
  type MailingProgress,
  type MailingSubject,
} from '../../instance/mailings/index.ts'
import { param, type AnyOperation } from '../../platform/http/index.ts'
import {
  checkbox,
  facts,
  form,
  html,
  linkButton,
  paragraphs,
  section,
  submit,
  time,
  type Content,
} from '../../platform/ui/index.ts'
import { staffForm, staffView, type Staff, type StaffPage } from '../index.ts'
import { findEmail } from './find_email.ts'

/** Declares the pages of one kind of subject. */
interface MailingSubjectPages {
  readonly kind: MailingSubject['kind']
  /** The path of the list of subjects, which is marked in the navigation. */
  readonly navigationPath: StaffPage['navigationPath']
  readonly title: 'terms.title' | 'announcements.title'
}

/** E-mails to everybody need it, whatever they announce. */
const PERMISSION = 'manage_settings'

const previewPath = (path: string, id: Id): string => `${path}/${id}/preview`

/** A link to the page that sends a published subject to all users, for those who may. */
export const mailingLink = ({ t, viewer }: Staff, path: string, id: Id): Content =>
  hasPermission(viewer, PERMISSION) && linkButton(previewPath(path, id), t('mailing.open'))

async function mailingPage(
  staff: Staff,
  { kind, navigationPath: listPath, title }: MailingSubjectPages,
  id: Id,
): Promise<StaffPage> {
  const { context, viewer, t, webSession } = staff
  const { database } = context
  const subject = { kind, id }
  const [content, progress, count, email] = await Promise.all([
    readContent(database, subject),
    findMailingProgress(database, subject),
    countMailingRecipients(database),
    findEmail(database, viewer.userId),
  ])
  if (!content) throw new ApiError('notFound')
  const recipient = { email, username: viewer.username, locale: viewer.locale }
  const composed = composeMailing(context, subject, content, recipient)
  const csrfToken = webSession.csrfToken()
  return {
    title: t('mailing.title'),
    navigationPath: listPath,
    breadcrumbs: [[listPath, t(title)]],
    body: [
      html`<p>${t('mailing.intro')}</p>`,
      section('preview', t('mailing.preview'), [
        facts([[t('mailing.subject'), composed.subject]]),
        html`<blockquote class="quotation">${paragraphs(composed.text)}</blockquote>`,
        form({ action: `${listPath}/${id}/test`, csrfToken }, submit(t('mailing.test', { email }), 'plain')),
      ]),
      section('distribution', t('mailing.recipients', { count }), [
        progress
          ? progressFacts(staff, progress, count)
          : form({ action: `${listPath}/${id}/distribution`, csrfToken }, [
              checkbox({ label: t('mailing.sure'), name: 'sure' }),
              submit(t('mailing.send', { count }), 'danger'),
            ]),
      ]),
    ],
  }
}

const progressFacts = ({ t, translator }: Staff, progress: MailingProgress, count: number): Content => {
  const { created_at: since, sent_count: sent, finished_at: end } = progress
  return facts([
    [t('mailing.sent_at'), time(since, translator)],
    [t('mailing.state'), end ? t('mailing.finished', { sent }) : t('mailing.progress', { sent, count })],
  ])
}

const params = { id: param.id() } as const

/** The operations of each subject: its preview, its test and its distribution. */
export function mailingOperations(pages: MailingSubjectPages): readonly AnyOperation[] {
  const { kind, navigationPath: listPath } = pages
  const path = `${listPath}/:id`
  return [
    staffView({
      path: `${path}/preview`,
      summary: `Preview the e-mails to all users: ${kind}`,
      permissions: [PERMISSION],
      params,
      show: ({ id }, staff) => mailingPage(staff, pages, id),
    }),
    staffForm({
      path: `${path}/test`,
      summary: `Send a test of the e-mail to the caller: ${kind}`,
      permissions: [PERMISSION],
      params,
      async act({ id }, { context, viewer, t }) {
        if (!(await testMailing(context, { subject: { kind, id }, user: viewer.userId })))
          throw new ApiError('notFound')
        const email = await findEmail(context.database, viewer.userId)
        return { to: previewPath(listPath, id), notice: t('mailing.tested', { email }) }
      },
    }),
    staffForm({
      path: `${path}/distribution`,
      summary: `Send the e-mails to all users: ${kind}`,
      permissions: [PERMISSION],
      params: { ...params, sure: param.boolean({ default: false }) },
      async act({ id, sure }, { context, viewer, t }) {
        if (!sure) return { to: previewPath(listPath, id), alert: t('mailing.not_sure') }
        if (!(await startMailing(context, viewer.id, { kind, id }))) throw new ApiError('notFound')
        return { to: previewPath(listPath, id), notice: t('mailing.started') }
      },
    }),
  ]
}
