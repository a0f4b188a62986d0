// Packages that only export an "import" condition (e.g. @octokit/auth-unauthenticated) still have to resolve once transformed.
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
