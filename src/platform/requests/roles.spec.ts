import { capabilitiesOf, isWiderThanRole, ROLE_NAMES, ROLES_VERSION, rolesWith } from './roles';

describe('roles', () => {
  it.each([
    ['read', ['read']],
    ['ci', ['read', 'upload']],
    ['status', ['read', 'upload', 'report_status']],
    ['submit', ['read', 'upload', 'submit']],
    ['admin', ['read', 'upload', 'report_status', 'submit', 'administer']],
  ])('%s can: %s', (role, capabilities) => expect(capabilitiesOf(role, ROLES_VERSION)).toEqual(capabilities));

  it('of tokens of an earlier version keep their capabilities', () => {
    expect(capabilitiesOf('read', 1)).toEqual(['read']);
    expect(capabilitiesOf('submit', 1)).toEqual(['read', 'upload', 'submit', 'report_status']);
    expect(capabilitiesOf('admin', 1)).toEqual(capabilitiesOf('admin', ROLES_VERSION));
  });

  it('have more capabilities than documented only in a submit token of an earlier version', () => {
    expect(ROLE_NAMES.filter((role) => isWiderThanRole(role, 1))).toEqual(['submit']);
    expect(ROLE_NAMES.filter((role) => isWiderThanRole(role, ROLES_VERSION))).toEqual([]);
  });

  it.each([['owner'], ['constructor'], [''], ['ADMIN']])('that are unknown, such as %j, have no capabilities', (role) =>
    expect(capabilitiesOf(role, ROLES_VERSION)).toEqual([]),
  );

  it('are found by their capabilities', () => {
    expect(rolesWith('read')).toEqual(ROLE_NAMES);
    expect(rolesWith('report_status')).toEqual(['status', 'admin']);
    expect(rolesWith('administer')).toEqual(['admin']);
  });
});
