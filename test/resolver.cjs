// Lets jest resolve packages that only export an "import" condition, such as @octokit/auth-unauthenticated, because
// they are transformed afterwards.
module.exports = (request, options) => {
  try {
    return options.defaultResolver(request, options);
  } catch {
    return options.defaultResolver(request, {
      ...options,
      conditions: ['import', 'node', 'default'],
    });
  }
};
