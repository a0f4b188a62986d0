export interface Account {
  readonly login: string;
  readonly id: number;
  readonly type: 'User' | 'Organization' | 'Bot';
  readonly name: string;
  readonly email: string;
}

/** All accounts of a mock host. An unknown name makes a new user. */
export class Accounts {
  private readonly byLogin = new Map<string, Account>();

  constructor(private readonly nextId: () => number) {}

  of(login: string, type: Account['type'] = 'User'): Account {
    const known = this.byLogin.get(login.toLowerCase());
    if (known !== undefined) return known;
    const mailbox = login.replaceAll(/[^\w.-]/g, '-');
    const account = { login, id: this.nextId(), type, name: login, email: `${mailbox}@users.noreply.example` };
    this.byLogin.set(login.toLowerCase(), account);
    return account;
  }

  findByEmail(email: string): Account | null {
    return [...this.byLogin.values()].find((account) => account.email === email) ?? null;
  }

  remove(login: string): void {
    this.byLogin.delete(login.toLowerCase());
  }

  find(login: string): Account | null {
    return this.byLogin.get(login.toLowerCase()) ?? null;
  }
}
