import { MAX_NOTE_CHARACTERS, type ModerationNote } from '../../moderation/index.ts'
import { actionButton, form, html, paragraphs, submit, textArea, time, type Content } from '../../platform/ui/index.ts'
import type { Staff } from '../index.ts'

/** The path to which notes are added; each note is deleted at its id below it. */
interface NoteForm {
  readonly action: string
  readonly csrfToken: string
  /** A new note that was refused. */
  readonly written?: string | undefined
}

/** The moderators' notes about a subject, with a form that adds one. */
export function noteList(
  { t, translator, viewer }: Staff,
  notes: readonly ModerationNote[],
  { action, csrfToken, written }: NoteForm,
): Content {
  const entries = notes.map(
    ({ id, author, author_id: by, content, created_at: at }) =>
      html`<li class="entry" id="note_${id}">
        <p class="quiet">${author === null ? t('audit_log.operator') : `@${author}`} · ${time(at, translator)}</p>
        ${paragraphs(content)}
        ${actionButton({
          action: `${action}/${id}`,
          method: 'delete',
          csrfToken,
          label: t('staff.delete'),
          kind: by === viewer.id ? 'plain' : 'danger',
        })}
      </li>`,
  )
  return [
    notes.length === 0 && html`<p class="quiet">${t('notes.none')}</p>`,
    html`<ul class="entries">
      ${entries}
    </ul>`,
    form({ action, csrfToken }, [
      textArea({
        label: t('notes.new'),
        name: 'content',
        value: written,
        maxLength: MAX_NOTE_CHARACTERS,
        rows: 3,
        required: true,
        hint: t('notes.hint'),
      }),
      submit(t('notes.add'), 'plain'),
    ]),
  ]
}
