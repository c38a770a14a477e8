// Eigenvalues and singular values of a module and of a cross build, by Eigen: there is no LAPACK.
#include <algorithm>
#include <eigen3/Eigen/Eigenvalues>
#include <eigen3/Eigen/SVD>

#include "headlight/interpret/spectrum.h"

namespace headlight::interpret {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Dense> seen(const Matrix& a) {
  return {a.data(), static_cast<Eigen::Index>(a.shape(0)), static_cast<Eigen::Index>(a.shape(1))};
}

Matrix kept(const Dense& a) {
  Matrix out = Matrix::from_shape({static_cast<std::size_t>(a.rows()), static_cast<std::size_t>(a.cols())});
  std::copy_n(a.data(), a.size(), out.data());
  return out;
}

Svd svd_of(const Dense& a) {
  const Eigen::JacobiSVD<Dense> found(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& values = found.singularValues();
  return {{values.begin(), values.end()}, kept(found.matrixU()), kept(found.matrixV())};
}

}  // namespace

Matrix product(const Matrix& a, const Matrix& b) { return kept(seen(a) * seen(b)); }

std::vector<std::complex<double>> eigenvalues(const Matrix& a) {
  if (a.size() == 0) return {};
  const auto found = Eigen::EigenSolver<Dense>(seen(a), false).eigenvalues();
  std::vector<std::complex<double>> sorted(found.begin(), found.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](auto x, auto y) { return std::abs(x) > std::abs(y); });
  return sorted;
}

Svd svd(const Matrix& a) { return a.size() == 0 ? Svd{} : svd_of(seen(a)); }

// The factors' QR decompositions reduce it to a small matrix, as with LAPACK.
Svd svd(const Matrix& left, const Matrix& right) {
  if (left.size() == 0 || right.size() == 0) return {};
  const auto thin = [](const Dense& a) {
    const Eigen::HouseholderQR<Dense> qr(a);
    const Eigen::Index k = std::min(a.rows(), a.cols());
    return std::pair<Dense, Dense>(qr.householderQ() * Dense::Identity(a.rows(), k),
                                   qr.matrixQR().topRows(k).triangularView<Eigen::Upper>());
  };
  const auto [q_left, r_left] = thin(seen(left));
  const auto [q_right, r_right] = thin(seen(right).transpose());
  Svd core = svd_of(r_left * r_right.transpose());
  return {std::move(core.values), kept(q_left * seen(core.left)), kept(q_right * seen(core.right))};
}

}  // namespace headlight::interpret
