/** The page for choosing which notifications are sent by e-mail. */
export const PREFERENCES_PATH = '/settings/preferences/notifications'
