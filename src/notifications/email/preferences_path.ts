/** Where people choose about which notifications they get letters. */
export const PREFERENCES_PATH = '/settings/preferences/notifications'
