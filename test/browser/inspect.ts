import { operations } from '../../src/app/operations.ts'
import { methodsOf, pathsOf } from '../../src/platform/http/router.ts'
import { accessibilityFaults, DESKTOP, overflowOf, PHONE, type Window } from '../support/chromium.ts'

/** The declared paths of all pages. */
export const DECLARED = operations
  .filter(
    ({ page, returns, method }) =>
      page === true && returns === 'text/html' && methodsOf({ method } as never).includes('GET'),
  )
  .flatMap(operation => pathsOf(operation))
  .toSorted()

/** Pages that the test does not open, and why. */
export const EXCUSED: Readonly<Record<string, string>> = {
  '/auth/confirmation': 'it only redirects, and uses up the link of an e-mail',
  '/email_subscriptions/confirmation': 'it needs the token of an e-mail',
  '/setup': 'it is there only as long as the server has no owner',
  '/unsubscribe': 'it needs the token of an e-mail',
  '/admin/custom_emojis/export.tar.gz': 'a file that is saved',
  '/admin/domain_allows/export.csv': 'a file that is saved',
  '/admin/domain_blocks/export.csv': 'a file that is saved',
}

/** The paths to open: of a page with parameters the one in `paths`. */
export const concrete = (paths: Readonly<Record<string, string>>): { open: string[]; missing: string[] } => {
  const wanted = DECLARED.filter(path => EXCUSED[path] === undefined)
  const hasParameters = (path: string): boolean => path.includes(':') || path.includes('*')
  return {
    open: [
      ...new Set([
        ...wanted.filter(path => !hasParameters(path) && paths[path] === undefined),
        ...Object.values(paths),
      ]),
    ],
    missing: wanted.filter(path => hasParameters(path) && paths[path] === undefined),
  }
}

/**
 * How a page is looked at: light on a phone, dark on a desktop. The elements are the same in both,
 * so that the second look is at the contrast only.
 */
const LOOKS = [
  { size: PHONE, colorScheme: 'light', rules: undefined },
  { size: DESKTOP, colorScheme: 'dark', rules: ['color-contrast', 'scrollable-region-focusable', 'target-size'] },
] as const

/** Opens pages in a window; what is wrong with them. A page that was reached before is skipped. */
export function inspector({ page, errors }: Window): (path: string, expected?: number) => Promise<string[]> {
  const reached = new Set<string>()
  return async (path, expected = 200) => {
    errors.length = 0
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'light' })
    const response = await page.goto(path, { waitUntil: 'load' })
    const status = response?.status() ?? 0
    const faults: string[] = []
    if (status !== expected) faults.push(`status ${status}`)
    // A page that refuses the visitor is an error in the console of its own accord.
    const own = errors.filter(text => !(status >= 400 && text.includes(`status of ${status}`)))
    faults.push(...own.map(text => `console: ${text}`))
    if (!reached.has(page.url())) {
      reached.add(page.url())
      for (const { size, colorScheme, rules } of LOOKS) {
        await page.setViewportSize(size)
        await page.emulateMedia({ colorScheme })
        const look = `${colorScheme}, ${size.width} px`
        const excess = await overflowOf(page)
        if (excess > 0) faults.push(`${excess} px too wide (${look})`)
        faults.push(...(await accessibilityFaults(page, rules)).map(text => `axe: ${text} (${look})`))
      }
    }
    return faults.map(fault => `${path}: ${fault}`)
  }
}
