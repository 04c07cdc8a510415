import { readFile } from 'node:fs/promises'
import { ApiError } from '../../core/errors.ts'
import { removeSitePicture, SITE_PICTURES, storeSitePicture, UnreadablePicture } from '../../instance/index.ts'
import { param, redirect, type AnyOperation } from '../../platform/http/index.ts'
import { staffForm, staffView } from '../index.ts'
import { MAX_PICTURE_BYTES, FIRST_PAGE_PATH, settingsPage } from './settings_page.ts'
import { settingsOn, MARKDOWN_SETTINGS, PAGE_NAMES, findPicturePage, pagePath, type PageName } from './page_contents.ts'
import { findChanges, parseForm } from './parse_form.ts'

const permissions = ['manage_settings'] as const
/** The allowance for the rest of the form: boundaries, names, token. */
const FORM_BYTES = 64 * 1024

const settingsIndex = staffView({
  path: '/admin/settings',
  summary: 'Redirect to the first page of settings',
  permissions,
  params: {},
  returns: 'redirect',
  show: () => redirect(FIRST_PAGE_PATH),
})

const showPage = (name: PageName): AnyOperation =>
  staffView({
    path: pagePath(name),
    summary: `Show the settings of the page ${name}`,
    permissions,
    params: {},
    show: (_, staff) => settingsPage(staff, name),
  })

/** Saves all settings of a page, or none if one is invalid; or previews one of its texts. */
const changePage = (name: PageName): AnyOperation =>
  staffForm({
    method: 'PUT',
    path: pagePath(name),
    summary: `Change the settings of the page ${name}`,
    permissions,
    params: { settings: param.record({ default: {} }), preview: param.string({ default: '' }) },
    async act({ settings, preview }, staff) {
      const { context, viewer, translator, t } = staff
      const keys = settingsOn(name)
      const form = await parseForm(context, translator, keys, settings)
      const previewed = keys.find(key => key === preview && MARKDOWN_SETTINGS.has(key))
      if (previewed) return { ...(await settingsPage(staff, name, { form, preview: previewed })), status: 200 }
      if (form.errors.size > 0)
        return { ...(await settingsPage(staff, name, { form })), alert: t('site_settings.not_saved') }
      await context.settings.setAll(findChanges(form, context.settings), viewer.id)
      return { to: pagePath(name), notice: t('site_settings.saved') }
    },
  })

const switchPublicPreview = staffForm({
  path: '/admin/settings/access/public_preview',
  summary: 'Turn the public preview of all four timelines on or off',
  permissions,
  params: { enabled: param.boolean({ missing: 400 }) },
  async act({ enabled }, { context, viewer, t }) {
    await context.settings.set('timeline_preview', enabled, viewer.id)
    return { to: pagePath('access'), notice: t('site_settings.saved') }
  },
})

const pictureParams = { name: param.enumeration(SITE_PICTURES, { missing: 404 }) }

const uploadPicture = staffForm({
  path: '/admin/settings/pictures/:name',
  summary: 'Replace a picture of the server',
  permissions,
  bodyLimitBytes: MAX_PICTURE_BYTES + FORM_BYTES,
  params: { ...pictureParams, file: param.upload({ optional: true }) },
  async act({ name, file }, staff) {
    const { context, viewer, t } = staff
    const page = findPicturePage(name)
    const showError = (error: string) => settingsPage(staff, page, { picture: { name, error } })
    if (!file || file.sizeBytes === 0) return showError(t('site_picture.missing'))
    const bytes = typeof file.content === 'string' ? await readFile(file.content) : file.content
    try {
      await storeSitePicture(context, name, bytes, viewer.id)
    } catch (error) {
      if (!(error instanceof UnreadablePicture)) throw error
      return showError(t('site_picture.unreadable'))
    }
    return { to: `${pagePath(page)}#pictures`, notice: t('site_picture.uploaded') }
  },
})

const resetPicture = staffForm({
  method: 'DELETE',
  path: '/admin/settings/pictures/:name',
  summary: 'Reset a picture of the server to the built-in one',
  permissions,
  params: pictureParams,
  async act({ name }, { context, viewer, t }) {
    if (!(await removeSitePicture(context, name, viewer.id))) throw new ApiError('notFound')
    return { to: `${pagePath(findPicturePage(name))}#pictures`, notice: t('site_picture.removed') }
  },
})

export const operations: readonly AnyOperation[] = [
  settingsIndex,
  ...PAGE_NAMES.flatMap(name => [showPage(name), changePage(name)]),
  switchPublicPreview,
  uploadPicture,
  resetPicture,
]
