import { hasPermission, type Permission } from '../../core/permissions.ts'
import { param } from '../../platform/http/index.ts'
import { checkbox, disclosure, form, html, section, submit, type Content, type Html } from '../../platform/ui/index.ts'
import type { FormResult, Staff } from '../index.ts'
import { TASKS_PATH } from './path.ts'

/** The parameter of a form that must be confirmed. */
export const sure = param.boolean({ default: false })

/** The kinds of tasks that the page starts, by the names of their forms. */
export type TaskForm =
  | 'media'
  | 'pictures'
  | 'previews'
  | 'statuses'
  | 'prune'
  | 'cull'
  | 'refresh'
  | 'rotate'
  | 'copy'
  | 'orphans'
  | 'recount'

/** A form that starts a task: what it does, its fields, and a confirmation. */
export const taskForm = ({ t, webSession }: Staff, name: TaskForm, fields: Content, kind: 'danger' | 'primary'): Html =>
  disclosure(
    t(`tasks.${name}`),
    form({ action: `${TASKS_PATH}/${name}`, csrfToken: webSession.csrfToken() }, [
      html`<p>${t(`tasks.${name}_hint`)}</p>`,
      fields,
      checkbox({ id: `${name}_sure`, label: t('accounts.sure'), name: 'sure' }),
      submit(t(`tasks.${name}`), kind),
    ]),
  )

/** A form with the permission that it needs. */
export interface PermittedForm {
  readonly permission: Permission
  readonly content: Content
}

/** A section with the forms that the viewer may use; nothing when there are none. */
export function formSection({ viewer }: Staff, id: string, title: string, forms: readonly PermittedForm[]): Content {
  const permitted = forms.filter(({ permission }) => hasPermission(viewer, permission))
  return (
    permitted.length > 0 &&
    section(
      id,
      title,
      permitted.map(({ content }) => content),
    )
  )
}

/** Starts a task when the form is confirmed and has no fault, and returns to the page of tasks. */
export async function startConfirmed(
  { t }: Staff,
  { sure: isSure, fault }: { sure: boolean; fault?: string | undefined },
  begin: () => Promise<unknown>,
): Promise<FormResult> {
  if (fault !== undefined) return { to: TASKS_PATH, alert: fault }
  if (!isSure) return { to: TASKS_PATH, alert: t('accounts.not_sure') }
  await begin()
  return { to: TASKS_PATH, notice: t('tasks.started') }
}
